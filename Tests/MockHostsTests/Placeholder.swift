// Placeholder until the room's first test lands.
