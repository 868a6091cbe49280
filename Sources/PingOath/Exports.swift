// One import is enough for an app: the values and stores that this API shows are part of it, under their own names.
@_exported public import PingCommons

@_exported public import class PingLogger.LogManager
@_exported public import enum PushBridgeCore.OathAlgorithm
@_exported public import struct PushBridgeCore.OathCredential
@_exported public import enum PushBridgeCore.OathType
