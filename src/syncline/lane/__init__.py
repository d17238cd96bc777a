"""The reconciler: observe, decide, act; the journal and the lock of a lane."""
