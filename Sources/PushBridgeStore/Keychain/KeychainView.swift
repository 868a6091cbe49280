import Foundation
import PushBridgeCore

/// One transaction on a keychain; reads each item once, because every read is a call to another process.
final class KeychainView {
    let shelf: KeychainShelf
    private var lists: [String: [String]] = [:]
    private var items: [Place: Data?] = [:]
    private var indexes: [String: RecordIndex] = [:]

    init(_ shelf: KeychainShelf) {
        self.shelf = shelf
    }

    func accounts<Form: KeychainForm>(_ form: Form.Type) throws -> [String] {
        let service = form.service(in: shelf.services)
        if let known = lists[service] { return known }
        let accounts = try shelf.accounts(service)
        lists[service] = accounts
        return accounts
    }

    func value<Form: KeychainForm>(_ form: Form.Type, _ account: String) throws -> Form.Value? {
        let place = Place(service: form.service(in: shelf.services), account: account)
        let data = try items[place] ?? shelf.data(account, of: place.service)
        items[place] = .some(data)
        return try data.map { try form.value($0, account: account) }
    }

    func all<Form: KeychainForm>(_ form: Form.Type) throws -> [Form.Value] {
        try accounts(form).compactMap { try value(form, $0) }
    }

    /// What was recorded of one kind; an account that names no record is damage.
    func index<Form: KeychainForm>(_ form: Form.Type) throws -> RecordIndex {
        let service = form.service(in: shelf.services)
        if let known = indexes[service] { return known }
        let index = RecordIndex(
            try accounts(form).map { account in
                guard let place = RecordAccount(account) else {
                    throw StoreError(
                        .damaged,
                        record: account,
                        reason: "A \(form.noun) in the keychain has no fingerprint."
                    )
                }
                return place
            }
        )
        indexes[service] = index
        return index
    }

    private struct Place: Hashable {
        let service: String
        let account: String
    }
}
