"""The appliance: commands, the table loop, cameras, journal, panel."""
