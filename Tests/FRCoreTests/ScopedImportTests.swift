import OtherNetworking
import Testing

import class PingPush.PushClient
import enum PingPush.PushError

/// In a file that imports only two types of `PingPush`, the names of other types mean the types of the app's module.
///
/// The file imports the whole of the app's module.
@Suite("Scoped imports of PingPush")
struct ScopedImportTests {
    private struct Vault: CredentialStore {}

    @Test func namesOfTypesReferToTheAppsModule() {
        let values: [Any] = [RemovalOutcome.kept, DeviceTokenState.known, StoreError.closed]
        #expect(values.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("OtherNetworking.") })
        #expect((Vault() as Any) is any OtherNetworking.CredentialStore)
    }

    @Test func anErrorOfTheAppsStoreIsCaught() {
        do {
            throw StoreError.closed
        } catch StoreError.closed {
        } catch {
            Issue.record("\(error) is an error of another module.")
        }
    }

    @Test func theImportedTypesAreAvailable() {
        #expect(String(reflecting: PushClient.self) == "PingPush.PushClient")
        #expect(String(reflecting: PushError.self) == "PingPush.PushError")
    }
}
