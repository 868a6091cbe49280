// One import is enough for an app: the values and the stores are part of this API under their own names.
@_exported public import AuthenticatorCore
@_exported public import AuthenticatorDevice
@_exported public import AuthenticatorKeychain
@_exported public import AuthenticatorNetwork
@_exported public import AuthenticatorStore
@_exported public import PingLogger
