"""loopviz shows why an AI agent's run went round in circles, and helps to set the limits that catch it."""

__version__ = "0.1.0"
