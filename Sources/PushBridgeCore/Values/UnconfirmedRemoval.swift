public import Foundation

/// A session of the user or of an administrator at a PingAM server; only the app can provide one.
public struct PushServerSession: Equatable, Sendable {
    /// The header field that carries the session.
    let header: PushRequest.Header
    /// The name of the user's identity at the server; `nil` means the name in the credential, or else its account's
    /// name.
    ///
    /// The latter is a guess: it suffices for removing a profile, but not for detecting that the profile was removed
    /// before.
    let userId: String?

    /// Creates a session in a cookie.
    /// - Parameters:
    ///   - name: The name of the server's session cookie; the standard one unless its administrator chose another.
    ///   - value: The session.
    ///   - userId: The name of the user's identity at the server; `nil` means the name in the credential, or else its
    ///     account's name, which does not suffice for detecting a removed profile.
    public init(cookie name: String = "iPlanetDirectoryPro", value: String, userId: String? = nil) {
        self.init(header: "Cookie", value: "\(name)=\(value)", userId: userId)
    }

    /// Creates a session in a separate header field, for gateways.
    /// - Parameters:
    ///   - name: The name of the header field.
    ///   - value: Its value.
    ///   - userId: The name of the user's identity at the server; `nil` means the name in the credential, or else its
    ///     account's name, which does not suffice for detecting a removed profile.
    public init(header name: String, value: String, userId: String? = nil) {
        header = PushRequest.Header(name, value)
        self.userId = userId
    }
}

extension PushServerSession: CustomStringConvertible, Concealed {
    /// Never the session.
    public var description: String { "PushServerSession(\(header.name))" }
}

/// The outcome of a removal that begins at the server.
public enum RemovalOutcome: Equatable, Sendable {
    /// Removed at the server, and then here.
    case removed
    /// The server did not remove the device's profile, so nothing was removed here; the removal is still unconfirmed.
    case owed(RemovalObstacle)
    /// Nothing of it is stored here, so no request was sent.
    case notStored
}

/// Why a server did not remove a device's profile.
public enum RemovalObstacle: Error, Hashable, Sendable {
    /// The app has no session at the server.
    case noSession
    /// The server could not be reached, or its answer was lost or not the server's.
    case unreachable
    /// The registration's address does not contain the location of the profiles.
    case noAddress
    /// The server's list of devices does not show which of them this one is.
    case unknownProfile
    /// The server rejected the request; 401 and 403 mean that the session is not sufficient.
    case refused(status: Int)
}

/// A removal that the app requested and the server has not confirmed yet.
///
/// It is stored before the request, and removed with the credential: a credential that was removed here was removed at the
/// server.
public struct UnconfirmedRemoval: Codable, Equatable, Sendable {
    /// The date of the first request.
    public let since: Date
    /// Whether the account is removed with its last push credential, one-time passwords included.
    let isOfAccount: Bool
    /// The obstacle as it is stored, so that one of a later version does no harm.
    private var code: Int?

    init(since: Date, isOfAccount: Bool) {
        self.since = since
        self.isOfAccount = isOfAccount
    }

    /// The last reason why the server did not remove the profile; `nil` before the first answer.
    public internal(set) var obstacle: RemovalObstacle? {
        get { code.flatMap(RemovalObstacle.init) }
        set { code = newValue?.code }
    }

    private enum CodingKeys: Int, CodingKey {
        case since = 1
        case isOfAccount, code
    }
}

extension RemovalObstacle {
    private static let others: [RemovalObstacle] = [.noSession, .unreachable, .noAddress, .unknownProfile]

    /// Reads what is stored: the status of a refusal, or a number that is no status.
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
