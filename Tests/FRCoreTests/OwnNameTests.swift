import FRAuthenticator
import OtherNetworking
import Testing

/// In a file that imports the legacy API, PushBridge's additional types do not hide the app's types of the same names.
@Suite("Names that the legacy SDK does not declare")
struct OwnNameTests {
    private struct Vault: CredentialStore {}

    @Test func anErrorOfTheAppsStoreIsCaught() {
        do {
            throw StoreError.closed
        } catch StoreError.closed {
        } catch {
            Issue.record("\(error) is an error of another module.")
        }
    }

    @Test func namesOfTypesReferToTheAppsModule() {
        let values: [Any] = [RemovalOutcome.kept, PushAction.open, DeviceTokenState.known]
        #expect(values.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("OtherNetworking.") })
        #expect((Vault() as Any) is any OtherNetworking.CredentialStore)
    }

    @Test func furtherTypesAreNestedInTheClientAndTheHandler() {
        #expect(String(reflecting: FRAClient.RemovalOutcome.self) == "PushBridgeCore.RemovalOutcome")
        #expect(String(reflecting: FRAPushHandler.TokenState.self) == "PushBridgeCore.DeviceTokenState")
    }
}
