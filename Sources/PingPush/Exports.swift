// Exports the types that this API uses, so that an app needs only one import.
@_exported public import PingCommons
@_exported public import PushBridgeNotifications

@_exported public import class PingLogger.LogManager
@_exported public import enum PushBridgeCore.DeviceTokenState
@_exported public import struct PushBridgeCore.PushCredential
@_exported public import struct PushBridgeCore.PushDeviceToken
@_exported public import struct PushBridgeCore.PushEndpoints
@_exported public import struct PushBridgeCore.PushNotification
@_exported public import enum PushBridgeCore.PushPlatform
@_exported public import struct PushBridgeCore.PushRequest
@_exported public import struct PushBridgeCore.PushResponse
@_exported public import enum PushBridgeCore.PushResponseError
@_exported public import struct PushBridgeCore.PushServerSession
@_exported public import enum PushBridgeCore.PushType
@_exported public import enum PushBridgeCore.RemovalObstacle
@_exported public import enum PushBridgeCore.RemovalOutcome
@_exported public import struct PushBridgeCore.UnconfirmedRemoval
@_exported public import protocol PushBridgePlatform.PushTransport
@_exported public import enum PushBridgePlatform.PushTransportError
@_exported public import class PushBridgePlatform.URLSessionTransport
