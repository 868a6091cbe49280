// The lock is in a separate module, so that a module that requires only the lock links nothing else.
@_exported public import PushBridgeBase
