// The type `Lock` is in a separate module, so that a module that requires only `Lock` links nothing else.
@_exported public import PushBridgeBase
