"""The built book in a real Chromium, every outside host blocked."""
