// The successor SDK declares `DeviceTamperingPolicy` in a module of this name; here PingCommons declares it.
@_exported public import PingCommons
