import AuthenticatorKit

/// A minimal screen that shows the accounts.
public enum Accounts {
    /// The client that this framework uses.
    public static var client: AnyObject? { FRAClient.shared }

    /// The names of the accounts.
    public static var names: [String] {
        FRAClient.shared?.getAllAccounts().map { "\($0.issuer), \($0.accountName)" } ?? []
    }
}
