// The classes of keychain items are the store's.
@_exported public import enum PushBridgeCore.KeychainAccessibility
// The protocol is declared where both APIs find it; apps know it as one of FRCore's.
@_exported public import protocol PushBridgePlatform.JailbreakDetector
// The protocols that an app implements inherit from it.
#if compiler(>=6.2)
@_exported public import protocol PushBridgePlatform.NonisolatedConformance
#else
@_exported public import typealias PushBridgePlatform.NonisolatedConformance
#endif
