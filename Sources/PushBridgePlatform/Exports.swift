// `PushBridgeBase`, which contains the type `Lock`, is a separate module, so that a module that requires only `Lock`
// links nothing else.
@_exported public import PushBridgeBase
