// What the app imports instead of `FRAuthenticator`, where its build does not know the names that this package gives.
@_exported import FRAuthenticator
