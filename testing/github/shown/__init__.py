"""How the test GitHub's things look in REST answers: pure functions from the world to JSON."""
