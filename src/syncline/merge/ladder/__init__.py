"""From what resolvers propose to what is accepted: facts -> memory -> model -> gate."""
