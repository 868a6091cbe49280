import FRAuthenticator
import OtherNetworking
import PingPush
import PushBridgeTestSupport
import Testing

/// In a file that imports both APIs, a name that the app's own module also declares means the app's declaration.
@Suite("Names of other modules")
struct OtherModuleTests {
    @Test func anErrorOfTheAppsModuleIsCaught() {
        do {
            throw NetworkError.offline
        } catch NetworkError.offline {
        } catch {
            Issue.record("\(error) is not an error of the app's module.")
        }
    }

    @Test func namesOfTypesReferToTheAppsModule() throws {
        #expect(Request().path == "/")
        #expect(LogLevel.debug == .debug)
        let others: [Any] = [Response(), Action(), RestClient(), SecuredKey()]
        #expect(others.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("OtherNetworking.") })
    }

    @Test func theStandardLibrarysResultIsNotHidden() throws {
        let result: Result<Int, any Error> = .success(1)
        #expect(try result.get() == 1)
    }

    @Test(.processState) func theNamesOfTheLegacySDKExist() {
        let succeed: SuccessCallback = {}
        let fail: ErrorCallback = { _ in }
        succeed()
        fail(NetworkError.offline)
        FRALog.setLogLevel(.all)
        FRALog.setLogLevel(.none)
    }
}
