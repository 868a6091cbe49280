import Foundation
import LegacyFiles
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport

extension InMemoryKeychain {
    /// Adds the items of a legacy store to the keychain, as the legacy SDK stores them.
    func install(
        _ fixture: String = "everyday.jsonl",
        accessibility: KeychainAccessibility = .afterFirstUnlock
    ) throws {
        for item in try LegacyFile.open(LegacyFixtures.url(fixture)).items() {
            let item = try item.get()
            guard case .archive(let data) = item.payload else { continue }
            let name = KeychainItem.Name(service: item.service.rawValue, account: item.key)
            try add(KeychainItem(name, data: data, accessibility: accessibility))
        }
    }
}
