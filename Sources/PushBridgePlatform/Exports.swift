// The lock is a separate module, so that a module that needs nothing else links nothing else.
@_exported public import PushBridgeBase
