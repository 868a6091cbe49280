import PushBridgeCommandLine
public import PushBridgeCore

/// One of the two APIs on which a scenario is played.
public enum APISide: String, CaseIterable, Codable, Sendable {
    /// The callback API, `FRAuthenticator`.
    case legacy
    /// The async API, `PingPush` and `PingOath`.
    case async
}

/// One event in a ``Scenario``.
///
/// In JSON, `do` is the name of the case. The other members are the members of the case's value.
public enum Step: Equatable, Sendable {
    /// The system issues a device token, or the app sends a token as text.
    case token(Token)
    /// The app forgets the device token.
    case clearToken
    /// The app reads the device token.
    case readToken
    /// The user scans a registration URI.
    case enrol(Enrol)
    /// The server sends a push.
    case receive(Receive)
    /// A push arrives a second time: `{"do":"receiveAgain","push":"p1"}`.
    case receiveAgain(_ push: String)
    /// A payload arrives that no server sent: `{"do":"receiveRaw","payload":{}}`.
    case receiveRaw(_ payload: JSONValue)
    /// The user answers a push.
    case answer(Answer)
    /// A fault makes the next requests fail, or delays them.
    case fault(FaultOrder)
    /// Time passes, for the server and the device: `{"do":"advance","seconds":60}`.
    case advance(_ seconds: Double)
    /// The state of the device changes.
    case device(Device)
    /// The server forgets a device: `{"do":"forget","credential":"babs"}`.
    case forget(_ credential: String)
    /// The user enrols another phone: `{"do":"enrolElsewhere","credential":"babs"}`.
    ///
    /// The profile of that phone replaces the profile of this device.
    case enrolElsewhere(_ credential: String)
    /// The app locks an account for a policy.
    case lock(Lock)
    /// The app unlocks an account: `{"do":"unlock","credential":"babs"}`.
    case unlock(_ credential: String)
    /// The user renames an account.
    case rename(Rename)
    /// The user removes one credential: `{"do":"deleteCredential","credential":"babs"}`.
    case deleteCredential(_ credential: String)
    /// The user removes an account with all its credentials: `{"do":"deleteAccount","credential":"babs"}`.
    case deleteAccount(_ credential: String)
    /// The user removes a notification: `{"do":"deleteNotification","push":"p1"}`.
    case deleteNotification(_ push: String)
    /// The app shows a one-time password of a credential: `{"do":"code","credential":"babs"}`.
    case code(_ credential: String)
    /// The app shows a list: `{"do":"list","what":"pending"}`.
    case list(_ what: List)
    /// A legacy store is migrated into the current store.
    case migrate(Migrate)
    /// The process ends and starts again.
    case restart
    /// The app closes the client.
    case close
    /// A step that only one side performs.
    ///
    /// In JSON, the step is any other case, with `"on":"legacy"` or `"on":"async"`.
    indirect case only(APISide, Step)
}

extension Step: Codable {
    private enum Key: String, CodingKey {
        case verb = "do"
        case side = "on"
        case credential, push, payload, seconds, what
    }

    /// The name of a step's case.
    public enum Verb: String, CaseIterable, Codable, Sendable {
        // The cases are the cases of Step except `only`, in the same order.
        case token, clearToken, readToken, enrol, receive, receiveAgain, receiveRaw, answer, fault, advance,
            device
        case forget, enrolElsewhere
        case lock, unlock, rename, deleteCredential, deleteAccount, deleteNotification, code, list,
            migrate
        case restart, close

        /// The event in words.
        public var words: String {
            switch self {
            case .token: "the system issues a device token"
            case .clearToken: "the app forgets the device token"
            case .readToken: "the app reads the device token"
            case .enrol: "the user scans a code"
            case .receive: "the server sends a push"
            case .receiveAgain: "a push arrives a second time"
            case .receiveRaw: "a payload arrives that the simulated server did not send"
            case .answer: "the user answers"
            case .fault: "a fault makes the next requests fail, or delays them"
            case .advance: "time passes"
            case .device: "the state of the device changes"
            case .forget: "the server forgets a device"
            case .enrolElsewhere: "the user enrols another phone, which replaces this phone at the server"
            case .lock: "the app locks an account"
            case .unlock: "the app unlocks an account"
            case .rename: "the user renames an account"
            case .deleteCredential: "the user removes one credential"
            case .deleteAccount: "the user removes an account with all its credentials"
            case .deleteNotification: "the user removes a notification"
            case .code: "the app shows a one-time password"
            case .list: "the app shows a list"
            case .migrate: "a legacy store is migrated"
            case .restart: "the process ends and starts again"
            case .close: "the app closes the client"
            }
        }
    }

    /// Decodes a step.
    ///
    /// `do` names the case. `on` is optional and names the only side that performs the step.
    ///
    /// The other members are the members of the case's value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let step = try Step(in: container, of: decoder)
        let side = try container.decodeIfPresent(APISide.self, forKey: .side)
        self = side.map { .only($0, step) } ?? step
    }

    private init(in container: KeyedDecodingContainer<Key>, of decoder: any Decoder) throws {
        let name = try container.decode(String.self, forKey: .verb)
        guard let verb = Verb(rawValue: name) else {
            let reason = "There is no step \"\(name)\""
            throw DecodingError.dataCorruptedError(forKey: .verb, in: container, debugDescription: reason)
        }
        func member<Value: Decodable>(_ key: Key) throws -> Value {
            try container.decode(Value.self, forKey: key)
        }
        switch verb {
        case .token: self = .token(try Token(from: decoder))
        case .clearToken: self = .clearToken
        case .readToken: self = .readToken
        case .enrol: self = .enrol(try Enrol(from: decoder))
        case .receive: self = .receive(try Receive(from: decoder))
        case .receiveAgain: self = .receiveAgain(try member(.push))
        case .receiveRaw: self = .receiveRaw(try member(.payload))
        case .answer: self = .answer(try Answer(from: decoder))
        case .fault: self = .fault(try FaultOrder(from: decoder))
        case .advance: self = .advance(try member(.seconds))
        case .device: self = .device(try Device(from: decoder))
        case .forget: self = .forget(try member(.credential))
        case .enrolElsewhere: self = .enrolElsewhere(try member(.credential))
        case .lock: self = .lock(try Lock(from: decoder))
        case .unlock: self = .unlock(try member(.credential))
        case .rename: self = .rename(try Rename(from: decoder))
        case .deleteCredential: self = .deleteCredential(try member(.credential))
        case .deleteAccount: self = .deleteAccount(try member(.credential))
        case .deleteNotification: self = .deleteNotification(try member(.push))
        case .code: self = .code(try member(.credential))
        case .list: self = .list(try member(.what))
        case .migrate: self = .migrate(try Migrate(from: decoder))
        case .restart: self = .restart
        case .close: self = .close
        }
    }

    /// Encodes a step in the format that ``init(from:)`` decodes.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(form.verb, forKey: .verb)
        try container.encodeIfPresent(side, forKey: .side)
        try form.value?.encode(to: encoder)
    }

    /// The only side that performs the step; `nil` if both sides perform it.
    public var side: APISide? {
        if case .only(let side, _) = self { side } else { nil }
    }

    /// The step without its side.
    public var content: Step {
        if case .only(_, let step) = self { step.content } else { self }
    }

    /// The name of the case.
    public var verb: Verb { form.verb }

    /// The name of the case, and the value that contains the other members of the JSON object.
    private var form: (verb: Verb, value: (any Encodable)?) {
        switch self {
        case .only(_, let step): step.form
        case .token(let value): (.token, value)
        case .clearToken: (.clearToken, nil)
        case .readToken: (.readToken, nil)
        case .enrol(let value): (.enrol, value)
        case .receive(let value): (.receive, value)
        case .receiveAgain(let push): (.receiveAgain, ["push": push])
        case .receiveRaw(let payload): (.receiveRaw, ["payload": payload])
        case .answer(let value): (.answer, value)
        case .fault(let value): (.fault, value)
        case .advance(let seconds): (.advance, ["seconds": seconds])
        case .device(let value): (.device, value)
        case .forget(let name): (.forget, ["credential": name])
        case .enrolElsewhere(let name): (.enrolElsewhere, ["credential": name])
        case .lock(let value): (.lock, value)
        case .unlock(let name): (.unlock, ["credential": name])
        case .rename(let value): (.rename, value)
        case .deleteCredential(let name): (.deleteCredential, ["credential": name])
        case .deleteAccount(let name): (.deleteAccount, ["credential": name])
        case .deleteNotification(let push): (.deleteNotification, ["push": push])
        case .code(let name): (.code, ["credential": name])
        case .list(let what): (.list, ["what": what])
        case .migrate(let value): (.migrate, value)
        case .restart: (.restart, nil)
        case .close: (.close, nil)
        }
    }
}
