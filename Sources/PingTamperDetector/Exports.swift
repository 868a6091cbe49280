// The successor SDK declares `DeviceTamperingPolicy` in a module named PingTamperDetector. Here, PingCommons
// declares this type.
@_exported public import PingCommons
