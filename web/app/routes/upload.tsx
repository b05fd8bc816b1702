import { Navigate } from 'react-router';

/** The old address of the converter. */
export default function Upload() {
  return <Navigate to="/convert" replace />;
}
