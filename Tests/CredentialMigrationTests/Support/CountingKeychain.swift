import Foundation
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport

/// A keychain that counts how often items are read and changed.
///
/// The keychain can also hide the dates of its items.
final class CountingKeychain: WrappingKeychain {
    let keychain = InMemoryKeychain()
    private let opened = Lock<[String: Int]>([:])
    private let changed = Lock(0)
    private let reportsDates: Bool

    init(reportsDates: Bool = true) {
        self.reportsDates = reportsDates
    }

    /// Returns how often the items of each service were read since the previous call of this method.
    func takeOpened() -> [String: Int] {
        opened.withValue { opened in
            defer { opened = [:] }
            return opened
        }
    }

    /// The number of calls to add, update or remove an item.
    var changes: Int { changed.withValue(\.self) }

    func add(_ item: KeychainItem) throws(KeychainError) {
        changed.withValue { $0 += 1 }
        try keychain.add(item)
    }

    func update(_ name: KeychainItem.Name, data: Data) throws(KeychainError) {
        changed.withValue { $0 += 1 }
        try keychain.update(name, data: data)
    }

    func data(_ name: KeychainItem.Name) throws(KeychainError) -> Data? {
        let data = try keychain.data(name)
        if data != nil { opened.withValue { $0[name.service, default: 0] += 1 } }
        return data
    }

    func accessibility(of name: KeychainItem.Name) throws(KeychainError) -> KeychainAccessibility? {
        try keychain.accessibility(of: name)
    }

    func changeDates(
        service: String,
        accessGroup: String?
    ) throws(KeychainError) -> [KeychainItem.ChangeDate]? {
        reportsDates ? try keychain.changeDates(service: service, accessGroup: accessGroup) : nil
    }

    @discardableResult
    func remove(_ name: KeychainItem.Name) throws(KeychainError) -> Bool {
        changed.withValue { $0 += 1 }
        return try keychain.remove(name)
    }
}
