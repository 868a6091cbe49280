public import Foundation

/// A session of a user or an administrator at a PingAM server; only the app can provide it.
public struct PushServerSession: Equatable, Sendable {
    /// The header field that contains the session.
    let header: PushRequest.Header
    /// The name of the user's identity at the server.
    ///
    /// `nil` means the user id of the credential or, if the credential has none, the name of its account. With `nil`,
    /// the client cannot detect that the profile was already removed, unless the server sent the user id.
    let userId: String?

    /// Creates a session in a cookie.
    /// - Parameters:
    ///   - name: The name of the server's session cookie; the default applies unless the server's
    ///     administrator chose another name.
    ///   - value: The session.
    ///   - userId: The name of the user's identity at the server. `nil` means the user id of the credential or, if
    ///     the credential has none, the name of its account. With `nil`, the client cannot detect that the
    ///     profile was already removed, unless the server sent the user id.
    public init(cookie name: String = "iPlanetDirectoryPro", value: String, userId: String? = nil) {
        self.init(header: "Cookie", value: "\(name)=\(value)", userId: userId)
    }

    /// Creates a session in a separate header field, for gateways.
    /// - Parameters:
    ///   - name: The name of the header field.
    ///   - value: The value of the header field.
    ///   - userId: The name of the user's identity at the server. `nil` means the user id of the credential or, if
    ///     the credential has none, the name of its account. With `nil`, the client cannot detect that the
    ///     profile was already removed, unless the server sent the user id.
    public init(header name: String, value: String, userId: String? = nil) {
        header = PushRequest.Header(name, value)
        self.userId = userId
    }
}

extension PushServerSession: CustomStringConvertible, Concealed {
    /// The name of the header field, without the session.
    public var description: String { "PushServerSession(\(header.name))" }
}

/// The outcome of a removal, first at the server and then on the device.
public enum RemovalOutcome: Equatable, Sendable {
    /// No server still has the device's profile, and the device removed the credential or, if its removal was
    /// requested, the account.
    case removed
    /// The server did not confirm that it removed the device's profile, so the device removed nothing.
    ///
    /// The removal is still pending.
    case owed(RemovalObstacle)
    /// The device has nothing to remove, so no request was sent.
    case notStored
}

/// The reason why a server did not confirm the removal of a device's profile.
public enum RemovalObstacle: Error, Hashable, Sendable {
    /// The app has no session at the server.
    case noSession
    /// The server could not be reached, its response was lost, or another program responded, such as a captive portal.
    case unreachable
    /// The registration's address does not contain the location of the profiles.
    case noAddress
    /// This device cannot be identified in the server's list of devices.
    case unknownProfile
    /// The server rejected the request; 401 and 403 mean that the session is not sufficient.
    case refused(status: Int)
}

/// A removal that the app requested and the server has not confirmed yet.
///
/// The removal is stored before the request is sent. When the server has confirmed the removal, the credential and this
/// value are deleted together. If the app deletes the credential only on the device, this value is deleted too, and the
/// profile stays at the server.
public struct UnconfirmedRemoval: Codable, Equatable, Sendable {
    /// The date when the app first requested the removal.
    public let since: Date
    /// Whether the account and its one-time-password credentials are removed together with the account's last push
    /// credential.
    let isOfAccount: Bool
    /// The ids of the account's one-time-password credentials when the account's removal was requested; `nil` if only a
    /// push credential is removed.
    ///
    /// A one-time-password credential that was enrolled later stays.
    let oathIds: [String]?
    /// The stored code of the obstacle; `nil` before the first attempt has failed.
    ///
    /// A code of a later version is ignored.
    private var code: Int?

    init(since: Date, isOfAccount: Bool, oathIds: [String]? = nil) {
        (self.since, self.isOfAccount, self.oathIds) = (since, isOfAccount, oathIds)
    }

    /// The latest reason why the server did not confirm the removal of the profile.
    ///
    /// `nil` before the first attempt has failed, or if a later version stored a reason that is unknown here.
    public internal(set) var obstacle: RemovalObstacle? {
        get { code.flatMap(RemovalObstacle.init) }
        set { code = newValue?.code }
    }

    private enum CodingKeys: Int, CodingKey {
        case since = 1
        case isOfAccount, code, oathIds
    }
}

extension RemovalObstacle {
    private static let others: [RemovalObstacle] = [.noSession, .unreachable, .noAddress, .unknownProfile]

    /// Creates an obstacle from its stored code: the status of a refusal, or a number below 100 for any other obstacle.
    ///
    /// The result is `nil` if the code is unknown.
    fileprivate init?(code: Int) {
        if code >= 100 {
            self = .refused(status: code)
        } else {
            guard Self.others.indices.contains(code) else { return nil }
            self = Self.others[code]
        }
    }

    fileprivate var code: Int? {
        if case .refused(let status) = self { status } else { Self.others.firstIndex(of: self) }
    }
}
