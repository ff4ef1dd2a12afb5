"""Of the nets that read what a die or a cube shows: their cut-outs, how they learn, how they are exported."""
