// Exports the types that this API uses, so that an app needs only one import.
@_exported public import PingCommons

@_exported public import class PingLogger.LogManager
@_exported public import enum PushBridgeCore.OathAlgorithm
@_exported public import struct PushBridgeCore.OathCredential
@_exported public import enum PushBridgeCore.OathType
