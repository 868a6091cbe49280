// The successor SDK has `DeviceTamperingPolicy` in a module of this name; here it is with the other policies.
@_exported public import PingCommons
