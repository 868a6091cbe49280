// The values that scenarios and results are made of.
@_exported public import PushBridgeCore
