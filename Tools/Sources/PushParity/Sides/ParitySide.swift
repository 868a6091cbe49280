package import Foundation
package import PushBridgeCore

/// One of the two APIs, as an app uses it.
package protocol ParitySide: Sendable {
    /// Makes a call and waits until everything it sets off is over; answers what the app was told.
    ///
    /// An app that is told nothing, or more than once, is a finding and not an error, so nothing is thrown.
    func perform(_ call: SideCall) async -> [Delivery]
    /// Lets go of everything, as when the process ends.
    func end() async
}

/// Makes a side in its surroundings; called again after a restart.
package typealias SideMaker = @Sendable (World) async throws -> any ParitySide

/// A call that both APIs can be asked for, with real ids.
package enum SideCall: Sendable {
    case registerToken(Data)
    case updateToken(String, credentialId: String?)
    case clearToken
    case readToken
    case enrol(uri: String)
    case receive(JSONValue)
    case answer(Step.AnswerKind, number: String, messageId: String)
    case lock(credentialId: String, policy: String)
    case unlock(credentialId: String)
    case rename(credentialId: String, issuer: String?, account: String?)
    case deleteCredential(credentialId: String)
    case deleteAccount(AccountKey)
    case deleteNotification(messageId: String)
    case code(credentialId: String)
    case list(Step.List.Content)
    case close
}
