/// A stand-in for a type that both the successor SDK and PushBridge declare.
public enum AuthMigration {}
