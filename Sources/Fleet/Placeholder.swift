package enum Provider: UInt8, Sendable { case apns; case fcm }
