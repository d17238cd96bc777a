"""Running programs that are not syncline: sealed, watched, bounded in time and output; nothing left of them."""
