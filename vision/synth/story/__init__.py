"""What happens in an evening, and what goes wrong: from a plan to shots."""
