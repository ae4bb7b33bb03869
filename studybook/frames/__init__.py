"""What charts draw, as tidy frames: means, intervals, differences, laws, published values."""
