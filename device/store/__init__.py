"""What survives a pulled plug: the journal, the evidence, the exports."""
