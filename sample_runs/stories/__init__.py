"""What the scripted agent is told to do: one made-up session per lesson."""
