"""The app: everything on screen."""
