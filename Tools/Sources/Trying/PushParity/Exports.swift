// Clients of this module also need the types of the values in scenarios and results.
@_exported public import PushBridgeCore
