import AuthenticatorKit

/// The screen of the accounts, as far as this example needs it.
public enum Accounts {
    /// The client that this framework sees.
    public static var client: AnyObject? { FRAClient.shared }

    /// The names of the accounts.
    public static var names: [String] {
        FRAClient.shared?.getAllAccounts().map { "\($0.issuer), \($0.accountName)" } ?? []
    }
}
