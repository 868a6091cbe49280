import PingPush
import Testing

// An app declares these types. `PingPush`, or a module that `PingPush` exports or uses, has types of the same names.

private enum PushError: Error { case own }
private enum StoreError: Error { case own }
private struct PushRequest { let isOwn = true }
private struct KeyFile { let isOwn = true }
private struct Lock { let isOwn = true }
private struct Logger { let isOwn = true }
private struct JSONValue { let isOwn = true }
private protocol CredentialStore {}
private struct Vault: CredentialStore {}

/// In a file that imports the whole module `PingPush`, a name that the app also declares means the app's type.
@Suite("Names of the app beside PingPush")
struct OwnNameCallSites {
    @Test func namesOfTheAppReferToTheApp() {
        #expect(PushRequest().isOwn && KeyFile().isOwn && Lock().isOwn && Logger().isOwn && JSONValue().isOwn)
        #expect((Vault() as Any) is any CredentialStore)
        #expect(!((Vault() as Any) is any PingPush.CredentialStore))
    }

    @Test func anErrorOfTheAppIsCaughtByItsName() {
        for error in [PushError.own, StoreError.own] as [any Error] {
            do {
                throw error
            } catch PushError.own, StoreError.own {
            } catch {
                Issue.record("\(error) is an error of another module.")
            }
        }
    }

    @Test func theModulesTypesAreAvailableByTheirFullNames() {
        let error: any Error = PingPush.PushError.credentialNotFound("a")
        #expect(!(error is PushError))
        #expect(String(reflecting: PingPush.StoreError.self) == "PushBridgeCore.StoreError")
    }
}
