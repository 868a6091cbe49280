import FRAuthenticator
import FRCore
import Foundation
import PushBridgeCore
import PushBridgePlatform
import Testing

/// The policies that clients evaluate by default.
///
/// Both APIs evaluate the same default policies, with the same results.
extension CallSiteTests {
    fileprivate static let attached = [
        #"{"biometricAvailable":{}}"#, #"{"deviceTampering":{"score":0}}"#,
        #"{"biometricAvailable":{},"deviceTampering":{"score":0.8}}"#, #"{"moonPhase":{}}"#,
    ]

    private func account(_ policies: String?, lockedBy lock: String? = nil) -> AccountProfile {
        var profile = AccountProfile(issuer: "Example", accountName: "babs")
        (profile.policies, profile.lockingPolicy, profile.isLocked) = (policies, lock, lock != nil)
        return profile
    }

    @Test(arguments: attached)
    func theLegacyEvaluatorReturnsTheSameResultAsTheStandardPolicies(_ policies: String) throws {
        var components = try #require(URLComponents(string: "pushauth://push/Example:babs"))
        let server = Data("https://am.example.com/json/push/sns/message?_action=x".utf8).base64EncodedString()
        let values = [
            "s": "c2VjcmV0", "c": "Y2hhbGxlbmdl", "m": "REGISTER:1", "r": server, "a": server,
            "issuer": Data("Example".utf8).base64EncodedString(),
            "policies": Data(policies.utf8).base64EncodedString(),
        ]
        components.queryItems = values.map { URLQueryItem(name: $0.key, value: $0.value) }
        let uri = try #require(components.url)
        guard case .push(let push) = try RegistrationURI(uri.absoluteString) else {
            Issue.record("\(uri) is not a code for push.")
            return
        }
        #expect(push.account.policies == policies)
        let isSatisfied = AccountPolicies.standard.evaluate(policies) == .comply
        #expect(FRAPolicyEvaluator().evaluate(uri: uri).comply == isSatisfied)
    }

    #if !canImport(LocalAuthentication)
    @Test(arguments: attached)
    func policiesTheDeviceCannotEvaluateLockNothing(_ policies: String) {
        let account = account(policies)
        #expect(AccountPolicies.standard.settled(account) == account)
    }

    @Test(arguments: ["biometricAvailable", "deviceTampering"])
    func policiesTheDeviceCannotEvaluateUnlockNothing(_ policy: String) {
        let account = account(#"{"\#(policy)":{}}"#, lockedBy: policy)
        #expect(AccountPolicies.standard.settled(account) == account)
    }

    @Test func theLegacyEvaluatorListsBothStandardPolicies() {
        let names = FRAPolicyEvaluator().policies?.map(\.name)
        #expect(names == ["biometricAvailable", "deviceTampering"])
        #expect(!FRAuthenticator.BiometricAvailablePolicy().evaluate())
        #expect(FRAuthenticator.DeviceTamperingPolicy().evaluate())
    }
    #endif
}
