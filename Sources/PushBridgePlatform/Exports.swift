// The lock is a module of its own, so that a module that needs nothing else links nothing else.
@_exported public import PushBridgeBase
