"""Perdure without any model: rules extract what is said outright, and replies quote what is remembered."""
