/// An app's own networking module, whose names FRCore has as well.
public struct Request {
    public var path = "/"

    public init() {}
}

public struct Response {
    public init() {}
}

public struct Action {
    public init() {}
}

public enum LogLevel {
    case debug
}

public enum NetworkError: Error {
    case offline
}

public struct RestClient {
    public init() {}
}

public struct SecuredKey {
    public init() {}
}
