import FRAuthenticator
import Foundation

/// The list of accounts.
class AccountsController {
    private(set) var accounts: [Account] = []

    func reload() {
        accounts = FRAClient.shared?.getAllAccounts() ?? []
    }

    // guide: begin
    func scanned(_ code: String, completion: @escaping (String?) -> Void) {
        guard let client = FRAClient.shared, let uri = URL(string: code) else {
            return completion("This is not a code.")
        }
        client.createMechanismFromUri(
            uri: uri,
            onSuccess: { _ in completion(nil) },
            onError: { error in completion(error.localizedDescription) }
        )
    }

    func rename(_ account: Account, to name: String) throws {
        account.displayAccountName = name
        try FRAClient.shared?.updateAccount(account: account)
    }
    // guide: end

    func remove(_ account: Account) {
        FRAClient.shared?.removeAccount(account: account)
    }
}
