// The app imports this module instead of `FRAuthenticator` if its build does not know the aliases of this package.
@_exported import FRAuthenticator
