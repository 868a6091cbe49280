@_exported public import PingLogger
// One import is enough for an app: the values and the stores are part of this API under their own names.
@_exported public import PushBridgeCore
@_exported public import PushBridgePlatform
@_exported public import PushBridgeStore
