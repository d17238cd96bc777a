"""Why a check is red: failures of many logs become few, each with its cause, its evidence and how sure that is."""
