// `PushBridgeCore` declares the accessibility classes of keychain items, which `KeychainOptions` uses.
@_exported public import enum PushBridgeCore.KeychainAccessibility
// The module that declares this protocol is used by both APIs. Existing apps expect the protocol in FRCore.
@_exported public import protocol PushBridgePlatform.JailbreakDetector

// All protocols of the legacy API that apps implement, except `FRError`, inherit from this protocol.
#if compiler(>=6.2)
@_exported public import protocol PushBridgePlatform.NonisolatedConformance
#else
@_exported public import typealias PushBridgePlatform.NonisolatedConformance
#endif
